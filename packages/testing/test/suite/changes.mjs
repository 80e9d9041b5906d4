import assert from 'node:assert/strict'

// What each of the 200 tests does: it changes the same things as all the others, and must see its own changes only.

const { COUNTER: counter } = process.env
const stranger = '0x00000000000000000000000000000000000000a1'
const signature = [{ type: 'function', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] }]
const abi = [
  { ...signature[0], name: 'number' },
  { type: 'function', name: 'increment', stateMutability: 'nonpayable', inputs: [], outputs: [] },
]

export async function change({ publicClient, walletClient, testClient }, index) {
  const count = () => publicClient.readContract({ address: counter, abi, functionName: 'number' })
  assert.equal(await count(), 5n)
  assert.equal(await publicClient.getBalance({ address: stranger }), 0n)
  const times = 1 + (index % 3)
  for (let done = 0; done < times; done++) {
    const hash = await walletClient.writeContract({ address: counter, abi, functionName: 'increment' })
    assert.equal((await publicClient.waitForTransactionReceipt({ hash })).status, 'success')
  }
  await testClient.setBalance({ address: stranger, value: BigInt(index + 1) })
  assert.equal(await count(), 5n + BigInt(times))
  assert.equal(await publicClient.getBalance({ address: stranger }), BigInt(index + 1))
}
