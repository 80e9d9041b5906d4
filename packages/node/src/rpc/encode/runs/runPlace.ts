import { z } from 'zod'
import type { RunPlace } from '../../../traces/runLines.ts'
import { HexAddress } from '../../codecs/wire.ts'

/** The fields of a place in the code that a run ran. */
export const runPlaceFields = {
  /** Null for code that was not imported with its lines; the same for `line`. */
  file: z.string().nullable(),
  line: z.number().nullable(),
  /** With its contract, which may be inherited, if the line is known. */
  function: z.string().nullable(),
  contract: z.string().nullable(),
  /** The contract whose code ran. */
  address: HexAddress,
}

export const RunPlaceObject = z.object(runPlaceFields).meta({ title: 'RunPlace' })

export const encodeRunPlace = ({ file, line, function: name, contract, address }: RunPlace) => ({
  file: file ?? null,
  line: line ?? null,
  function: name ?? null,
  contract: contract ?? null,
  address,
})
