import { z } from 'zod'
import { NetworkError } from '../../../shared/errors.ts'
import type { BlockTag as Tag } from '../../../state/blockTag.ts'
import { BlockTag } from '../blockTag.ts'

const Format = z.enum(['NESTED', 'FLAT']).meta({ title: 'CallFormat' })

/** The first parameter: the format, which may be left out, so that it is what is simulated. */
export const formatOr = <Subject extends z.ZodType>(subject: Subject) => z.union([Format, subject])

/** The second: what is simulated, or, without a format, the block. */
export const subjectOrBlock = <Subject extends z.ZodType>(subject: Subject) => z.union([BlockTag, subject])

type Params<Subject> = {
  first: Subject | z.output<typeof Format>
  second: Subject | Tag | undefined
  third: Tag | undefined
}

/** The parameters by what they mean. Throws `INVALID_PARAMS`. */
export function executionParams<Subject extends object>({ first, second, third }: Params<Subject>, name: string) {
  if (typeof first !== 'string') {
    if (second !== undefined && !isBlock(second)) throw invalid('params[1] (block)', 'expected a block')
    if (third !== undefined) throw invalid('params[2]', 'is one too many without a format')
    return { format: 'FLAT' as const, subject: first, block: second ?? 'latest' }
  }
  if (second === undefined || isBlock(second)) throw invalid(`params[1] (${name})`, 'is missing')
  return { format: first, subject: second, block: third ?? 'latest' }
}

/** Calls have other fields. */
const isBlock = (value: object | Tag): value is Tag => typeof value === 'string' || 'number' in value || 'hash' in value

const invalid = (field: string, problem: string) => new NetworkError('INVALID_PARAMS', { field, problem })
