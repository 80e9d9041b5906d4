import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'

const entry = (part = 'index') => fileURLToPath(new URL(`../dist/${part}.js`, import.meta.url))

/** What a bundler makes of a program for browsers: its code, and what it imports that browsers lack. */
async function bundle(program: string, { withViem }: { withViem: boolean }) {
  const build = await rolldown({
    input: 'program',
    platform: 'browser',
    external: withViem ? [] : ['viem'],
    plugins: [
      {
        name: 'program',
        resolveId(id) {
          const [, part] = /^@understudy\/client(?:\/(\w+))?$/.exec(id) ?? []
          return id === 'program' ? id : id.startsWith('@understudy/client') ? entry(part) : undefined
        },
        load: (id) => (id === 'program' ? program : undefined),
      },
    ],
  })
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
  await build.close()
  const [{ code, imports }] = output
  return { code, imports, bytes: gzipSync(code).length }
}

const programOf = (name: string) =>
  `import { ${name} } from '@understudy/client${name === 'call' ? '/methods' : ''}'; globalThis.used = ${name}`

describe('a program in a browser', () => {
  // Bytes are counted minified and gzipped, without viem.
  it.for([
    ['errorKind', 200],
    ['subscribe', 350],
    ['call', 300],
    ['understudyActions', 1800],
    ['createUnderstudyClient', 2050],
  ] as const)('that uses %s gets at most %i bytes of the client', async ([name, limit], { annotate }) => {
    const { bytes, imports } = await bundle(programOf(name), { withViem: false })
    await annotate(`${bytes} bytes`)
    expect(bytes).toBeLessThanOrEqual(limit)
    expect(imports.filter((each) => each !== 'viem')).toEqual([])
  })

  it('carries the names of methods only when it has the actions', async () => {
    const [call, actions] = await Promise.all(
      ['call', 'understudyActions'].map((name) => bundle(programOf(name), { withViem: false })),
    )
    expect(call?.code).not.toContain('dev_addTrackedData')
    expect(actions?.code).toContain('dev_addTrackedData')
  })

  it('needs nothing that browsers lack, viem included', async ({ annotate }) => {
    const { code, imports, bytes } = await bundle(programOf('createUnderstudyClient'), { withViem: true })
    await annotate(`${bytes} bytes`)
    expect(imports).toEqual([])
    expect(code).not.toMatch(/["'`]node:/)
  })
})
