/** Common functions by selector. */
const common: Readonly<Record<string, string>> = {
  '0xa9059cbb': 'transfer',
  '0x23b872dd': 'transferFrom',
  '0x095ea7b3': 'approve',
  '0x42842e0e': 'safeTransferFrom',
  '0xa22cb465': 'setApprovalForAll',
  '0x40c10f19': 'mint',
  '0x6a627842': 'mint',
  '0xd0e30db0': 'deposit',
  '0x2e1a7d4d': 'withdraw',
  '0x87517c45': 'approve',
  '0xac9650d8': 'multicall',
  '0x5ae401dc': 'multicall',
  '0x3593564c': 'execute',
  '0x38ed1739': 'swapExactTokensForTokens',
  '0x7ff36ab5': 'swapExactETHForTokens',
  '0x18cbafe5': 'swapExactTokensForETH',
  '0x022c0d9f': 'swap',
  '0x128acb08': 'swap',
  '0xf3e6ea8a': 'swap',
  '0x14de9689': 'update',
  '0xd505accf': 'permit',
}

/** The name of a common function; `undefined` for any other. */
export const commonName = (selector: string): string | undefined => common[selector]

/** A short label for a transaction: the name of a common function, else its selector. */
export function methodLabel(to: string | null, input: string): string {
  if (to === null) return 'create'
  if (input.length < 10) return 'transfer'
  const selector = input.slice(0, 10)
  return common[selector] ?? selector
}

/** The label of a listed transaction, whose function the network decoded if it knows it. */
export function listedLabel(listed: { function: { name: string } | null; to: string | null; gasUsed: string }): string {
  if (listed.function) return listed.function.name
  if (listed.to === null) return 'create'
  return listed.gasUsed === plainTransferGas ? 'transfer' : 'call'
}

/** The gas of a transaction that runs no code. */
const plainTransferGas = '21000'
