import type { Method } from './defineMethod.ts'

export type ParamDescription = { name: string; isOptional: boolean; fallback: unknown }

/** The reference text for the parameters of a method. */
export function describeParams({ params }: Method): ParamDescription[] {
  return Object.entries(params).map(([name, schema]) => {
    const absent = schema.safeParse(undefined)
    return { name, isOptional: absent.success, fallback: absent.data }
  })
}
