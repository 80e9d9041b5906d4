import { NetworkError } from '../../shared/errors.ts'
import { headMethod, type Recording } from './recording.ts'
import { requireChain } from './recordingFile.ts'

type Named = { file: string; recording: Recording }

/**
 * Adds the answers of other recordings to the first, whose own answers are kept. Throws `RECORDING_INVALID` if one is
 * of another chain, or they are too large together.
 */
export function mergeRecordings(into: Named, others: readonly Named[]): void {
  for (const { file, recording } of others) {
    requireSameChain(into, { file, recording })
    // Heads came at the times of their recording.
    for (const { method, params, answer } of recording.calls())
      if (method !== headMethod) into.recording.add(method, params, answer)
    if (into.recording.isFull)
      throw new NetworkError('RECORDING_INVALID', { file, problem: 'it is too large to be added to the others' })
  }
}

/** By chain id, and by the hash of each block that both have: a chain can be restarted with its id. */
function requireSameChain(first: Named, second: Named): void {
  const refuse = (difference: string) =>
    new NetworkError('RECORDING_INVALID', {
      file: second.file,
      problem: `it is of another chain than ${first.file}: ${difference}. Merge recordings of one chain`,
    })
  const [known, other] = [first, second].map(({ file, recording }) => requireChain(file, recording).chainId)
  if (known !== other) throw refuse(`its id is ${other}, not ${known}`)
  for (const { method, params, answer } of second.recording.calls()) {
    if (method !== 'eth_getBlockByNumber' || !/^0x/.test(String(params[0]))) continue
    const before = first.recording.get(method, params)
    if (before && hashOf(before) !== hashOf(answer)) throw refuse(`it has another block ${BigInt(String(params[0]))}`)
  }
}

const hashOf = (answer: object) => ('result' in answer ? (answer.result as { hash?: unknown } | null)?.hash : undefined)
