import { artifacts, createRandom, deployContract, type Random } from '@understudy/testkit'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const { AssetRunner, BalanceReader, Collectible, Medals, PlainToken, QuietToken, SkimmingToken, BoastingToken, WETH9 } =
  artifacts
const { SoladyToken, SeparateStorageToken, PackedToken, ShiftedToken, RebasingToken, VyperLayoutToken } = artifacts

type Kind = 'erc20' | 'erc721' | 'erc1155'
type Asset = { kind: Kind; token: Address; id: bigint | undefined }
type Step = { to: Address; value: bigint; data: Hex; mayFail: boolean }
type Outcome = {
  status: string
  fee: { total: string }
  gasUsed: string
  balanceChanges: {
    address: Address
    assets: { kind: string; token: Address | null; tokenId: string | null; net: string }[]
  }[]
}

const heirs = ['0x00000000000000000000000000000000deadbee1', '0x00000000000000000000000000000000deadbee2'] as const
const gasPrice = 10n ** 10n
const million = 10n ** 24n
const erc20 = parseAbi([
  'function transfer(address, uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function mint(address, uint256)',
  'function burn(address, uint256)',
])

let network: TestNetwork
let owner: Address
let runner: Address
let reader: Address
let holders: readonly Address[]
/** What has `transfer` alone, and what mints, too. */
let plain: Address[]
let weth: Address
let quiet: Address
let collectible: Address
let medals: Address
let assets: Asset[]

beforeAll(async () => {
  network = await startNetwork()
  const { client } = network
  owner = client.account.address.toLowerCase() as Address
  const deploy = async (artifact: Parameters<typeof deployContract>[1], args: unknown[] = []) =>
    (await deployContract(client, artifact, args)).toLowerCase() as Address
  runner = await deploy(AssetRunner)
  reader = await deploy(BalanceReader)
  holders = [owner, runner, ...heirs]
  const supplied = [SoladyToken, SeparateStorageToken, PackedToken, ShiftedToken, RebasingToken, VyperLayoutToken]
  plain = []
  for (const artifact of supplied) plain.push(await deploy(artifact as typeof SoladyToken, [million]))
  plain.push(await deploy(PlainToken, ['Plain', 'PLAIN', million]), await deploy(SkimmingToken))
  quiet = await deploy(QuietToken)
  const boasting = await deploy(BoastingToken)
  weth = await deploy(WETH9)
  collectible = await deploy(Collectible)
  medals = await deploy(Medals)
  for (const token of plain.slice(0, -1)) await send(token, encode('transfer', runner, 10n ** 20n))
  plain.push(boasting, quiet, weth)
  assets = [
    ...plain.map((token): Asset => ({ kind: 'erc20', token, id: undefined })),
    { kind: 'erc721', token: collectible, id: undefined },
    { kind: 'erc1155', token: medals, id: 1n },
    { kind: 'erc1155', token: medals, id: 2n },
  ]
})
afterAll(() => network.stop())

const encode = (functionName: 'transfer' | 'mint' | 'burn', to: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20, functionName, args: [to, amount] })
const quantity = (value: bigint): Hex => `0x${value.toString(16)}`

const send = (to: Address, data: Hex, value = 0n) =>
  network.rpc<Hex>('eth_sendTransaction', {
    from: owner,
    to,
    data,
    value: quantity(value),
    gas: '0x4c4b40',
    gasPrice: quantity(gasPrice),
  })

/** Every balance, by one `eth_call`. */
async function balances(): Promise<Map<string, bigint>> {
  const questions = holders.flatMap((holder) => [
    { key: `${holder} native`, token: zeroAddress, holder, data: '0x' as Hex },
    ...assets.map(({ token, id, kind }) => {
      const data =
        kind === 'erc1155'
          ? encodeFunctionData({ abi: Medals.abi, functionName: 'balanceOf', args: [holder, id ?? 0n] })
          : encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [holder] })
      return { key: `${holder} ${token} ${id ?? ''}`, token, holder, data }
    }),
  ])
  const { abi } = BalanceReader
  const call = encodeFunctionData({ abi, functionName: 'read', args: [questions] })
  const output = await network.rpc<Hex>('eth_call', { to: reader, data: call }, 'latest')
  const answers = decodeFunctionResult({ abi, functionName: 'read', data: output })
  return new Map(questions.map(({ key }, index) => [key, answers[index] as bigint]))
}

/** What the outcome says that each holder gained of each asset, by the keys of `balances`. */
function gainsIn({ balanceChanges }: Outcome): Map<string, bigint> {
  const gains = new Map<string, bigint>()
  for (const { address, assets: changed } of balanceChanges)
    for (const { kind, token, tokenId, net } of changed) {
      const id = kind === 'erc1155' ? tokenId : ''
      const key = kind === 'native' ? `${address} native` : `${address} ${token} ${id}`
      gains.set(key, (gains.get(key) ?? 0n) + BigInt(net))
    }
  return gains
}

function randomStep(random: Random): Step {
  const holder = random.pick(holders)
  const amount = BigInt(random.integer(1, 10 ** 6)) * 10n ** BigInt(random.integer(0, 9))
  const step = (to: Address, data: Hex, value = 0n): Step => ({ to, value, data, mayFail: random.chance(0.9) })
  const choices: (() => Step)[] = [
    () => step(random.pick(plain), encode('transfer', holder, amount)),
    () => step(random.pick([quiet, plain[7] as Address]), encode('mint', holder, amount)),
    () => step(quiet, encode('burn', holder, amount)),
    () => step(weth, '0xd0e30db0', amount),
    () => step(weth, encodeFunctionData({ abi: WETH9.abi, functionName: 'withdraw', args: [amount] })),
    () => step(weth, '0x', amount),
    () => step(holder, '0x', amount),
    () => step(runner, encodeFunctionData({ abi: AssetRunner.abi, functionName: 'bequeath', args: [holder] }), amount),
    () =>
      step(runner, encodeFunctionData({ abi: AssetRunner.abi, functionName: 'moveAndFail', args: [holder] }), amount),
    () => step(collectible, encodeFunctionData({ abi: Collectible.abi, functionName: 'mint', args: [holder] })),
    () => {
      const args = [runner, holder, BigInt(random.integer(1, 20))] as const
      return step(collectible, encodeFunctionData({ abi: Collectible.abi, functionName: 'transferFrom', args }))
    },
    () => {
      const args = [random.pick([runner, ...heirs]), BigInt(random.integer(1, 2)), amount] as const
      return step(medals, encodeFunctionData({ abi: Medals.abi, functionName: 'mint', args }))
    },
    () => {
      const args = [random.pick([runner, ...heirs]), BigInt(random.integer(1, 2)), amount] as const
      return step(medals, encodeFunctionData({ abi: Medals.abi, functionName: 'burn', args }))
    },
  ]
  return random.pick(choices)()
}

it('says of 200 random transactions what balances change by, as eth_call has them before and after', async () => {
  const random = createRandom(41)
  let before = await balances()
  const seen = { succeeded: 0, failed: 0 }
  const moved = new Set<string>()
  for (let count = 0; count < 200; count++) {
    const steps = Array.from({ length: random.integer(1, 6) }, () => randomStep(random))
    const data = encodeFunctionData({ abi: AssetRunner.abi, functionName: 'run', args: [steps] })
    const value = random.chance(0.5) ? BigInt(random.integer(1, 1000)) * 10n ** 15n : 0n
    const call = {
      from: owner,
      to: runner,
      data,
      value: quantity(value),
      gas: '0x4c4b40',
      gasPrice: quantity(gasPrice),
    }
    const simulated = await network.rpc<{ results: [Outcome] }>('dev_simulate', { calls: [call], validation: true })
    const [outcome] = simulated.results
    await send(runner, data, value)
    const after = await balances()
    const gains = gainsIn(outcome)
    const payer = `${owner} native`
    gains.set(payer, (gains.get(payer) ?? 0n) - BigInt(outcome.fee.total))
    for (const [key, had] of before) {
      const gained = (after.get(key) ?? 0n) - had
      if (gained !== 0n) moved.add(key.slice(43))
      expect(gains.get(key) ?? 0n, `${key} in the simulation ${count}`).toBe(gained)
    }
    seen[outcome.status as 'failed']++
    before = after
  }
  expect(seen.failed).toBeGreaterThan(10)
  expect(seen.succeeded).toBeGreaterThan(100)
  expect([...moved].sort()).toEqual(
    [
      'native',
      ...assets.filter(({ token }) => token !== plain[8]).map(({ token, id }) => `${token} ${id ?? ''}`),
    ].sort(),
  )
})
