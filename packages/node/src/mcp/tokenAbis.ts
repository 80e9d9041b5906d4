import { type Abi, type AbiFunction, erc20Abi, erc721Abi, erc1155Abi, toFunctionSelector } from 'viem'

type Selector = `0x${string}`
/** The functions of a contract by their selectors. */
type Functions = ReadonlyMap<Selector, AbiFunction>

const functionsOf = (abi: Abi): Functions =>
  new Map(abi.flatMap((item) => (item.type === 'function' ? [[toFunctionSelector(item), item] as const] : [])))

/** Each with the selector of a function that only its tokens have. */
const standards: readonly { mark: Selector; functions: Functions }[] = [
  { mark: toFunctionSelector('transfer(address,uint256)'), functions: functionsOf(erc20Abi) },
  { mark: toFunctionSelector('ownerOf(uint256)'), functions: functionsOf(erc721Abi) },
  { mark: toFunctionSelector('balanceOf(address,uint256)'), functions: functionsOf(erc1155Abi) },
]

/** The functions of the token standard that a contract follows, those that it has, by the selectors in its code. */
export function tokenFunctions(selectors: readonly Selector[]): Functions {
  const standard = standards.find(({ mark }) => selectors.includes(mark))
  return new Map([...(standard?.functions ?? [])].filter(([selector]) => selectors.includes(selector)))
}
