/** Solidity whose syntax tree names a type of `long` characters for each of `uses` expressions of two characters. */
export function sourcesWithLongNames(long: number, uses: number) {
  const name = 'L'.repeat(long)
  return {
    'a.sol': {
      content: `import {${name} as S} from "b.sol"; contract A { S[] s; function f() public { ${'s;'.repeat(uses)} } }`,
    },
    'b.sol': { content: `struct ${name} { uint a; }` },
  }
}

/** Its output is larger than a network takes. */
export const sourcesOf20MiB = sourcesWithLongNames(20_000, 500)
/** The compiler is refused memory for its output. */
export const sourcesOf1400MiB = sourcesWithLongNames(40_000, 4000)
