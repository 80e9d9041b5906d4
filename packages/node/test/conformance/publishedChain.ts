import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBlock, createBlockFromBytesArray } from '@ethereumjs/block'
import { createCommonFromGethGenesis } from '@ethereumjs/common'
import { RLP } from '@ethereumjs/rlp'
import { createVM, runBlock } from '@ethereumjs/vm'
import type { Hex } from 'viem'
import { hexOf, historyOf, kzg, type Sealed, type ServedChain, serveChain, stateOf } from './servedChain.ts'

type Raw = Record<string, unknown>

/** Runs the blocks of `chain.rlp` on `genesis.json`, both in `folder`, and serves the chain on a free port. */
export async function startPublishedChain(folder: string): Promise<ServedChain> {
  const genesis = JSON.parse(readFileSync(join(folder, 'genesis.json'), 'utf8'))
  const common = createCommonFromGethGenesis(genesis, {
    chain: 'published',
    mergeForkIdPostMerge: false,
    customCrypto: { kzg },
  })
  const stateManager = await stateOf(common, genesis.alloc)
  const blocks: Sealed[] = []
  const vm = await createVM({ common, stateManager, blockchain: historyOf(blocks), setHardfork: true })
  let root = await stateManager.getStateRoot()
  const first = createBlock(
    { header: { ...genesisHeader(genesis), stateRoot: root } },
    { common, setHardfork: true, skipConsensusFormatValidation: true },
  )
  blocks.push({ block: first, hash: hexOf(first.hash()), root, receipts: [], created: [] })
  for (const values of blocksOf(readFileSync(join(folder, 'chain.rlp')))) {
    const block = createBlockFromBytesArray(values as never, {
      common,
      setHardfork: true,
      skipConsensusFormatValidation: true,
    })
    const result = await runBlock(vm, {
      block,
      root,
      skipHeaderValidation: true,
      skipBlockValidation: true,
      setHardfork: true,
    })
    root = block.header.stateRoot
    const created = result.results.map(({ createdAddress }) => createdAddress?.toString() as Hex | undefined)
    blocks.push({ block, hash: hexOf(block.hash()), root, receipts: result.receipts, created })
  }
  return serveChain(blocks, stateManager, common.chainId())
}

function genesisHeader({ timestamp, extraData, gasLimit, difficulty, mixHash, coinbase }: Raw): Raw {
  return { nonce: `0x${'0'.repeat(16)}`, timestamp, extraData, gasLimit, difficulty, mixHash, coinbase }
}

function blocksOf(encoded: Uint8Array): unknown[] {
  const found: unknown[] = []
  for (let rest = encoded; rest.length > 0; ) {
    const { data, remainder } = RLP.decode(rest, true)
    found.push(data)
    rest = remainder
  }
  return found
}
