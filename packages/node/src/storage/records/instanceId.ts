import { randomBytes } from 'node:crypto'
import type { Hex } from '@understudy/evm'
import { zeroWord } from '../../ethereum/constants.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import type { Queries } from '../database.ts'
import { loadSetting, saveSetting } from './settings.ts'

const key = 'instanceId'

/** The name of a chain, from its beginning to its next reset: tools store what they deployed under it. */
export async function loadInstanceId(queries: Queries): Promise<Hex> {
  return (await loadSetting<Hex>(queries, key)) ?? zeroWord
}

/** Gives the chain that begins a name of its own. */
export const renewInstanceId = (queries: Queries) => saveSetting(queries, key, hexFromBytes(randomBytes(32)))
