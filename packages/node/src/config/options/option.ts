import type { z } from 'zod'

/** A setting for the user. Flag, environment name, type and documentation are derived from it. */
type Option<Value> = {
  /** Without dashes; the environment name is `UNDERSTUDY_` and the flag in capitals. */
  flag: string
  /** The placeholder of the value in the help; a switch has none. */
  placeholder: string | undefined
  /** The value of the flag alone, if it needs none. */
  preset?: string
  /** The environment name, if it does not follow from the flag. */
  environment?: string
  /** Whether `--flag` may be repeated. */
  repeatable?: true
  /** Whether the switch is `--no-flag` and turns the option off. */
  negated?: true
  schema: z.ZodType<Value, unknown>
  /** The type that callers in TypeScript pass; default: that of the schema, or a string. */
  type?: string
  /** Whether its value names URLs that the network sends requests to. */
  namesUrls?: true
  /** `undefined` if the network determines the value itself. */
  default: Value | undefined
  /** The default, as shown in the docs. */
  defaultText: string
  /**
   * Whether a value may grant access to something: errors omit it, and it is shown as `***` unless `show` masks a part.
   */
  secret: boolean
  /** Formats a value for display. */
  show(value: Value): string
  group: 'Fork' | 'Chain' | 'Accounts' | 'Explorers' | 'Server' | 'Limits' | 'Operation'
  description: string
}

/** String options must set `secret`, so that none leaks by omission. */
type Row<Value> = Pick<Option<Value>, 'flag' | 'placeholder' | 'schema' | 'group' | 'description'> &
  Partial<Option<Value>> &
  (Value extends boolean | number | bigint ? unknown : Pick<Option<Value>, 'secret'>)

export function option<Value>(row: Row<Value>): Option<Value> {
  const { secret = false } = row
  const show = row.show ?? (secret ? () => '***' : String)
  const byDefault = row.default === undefined ? '' : show(row.default)
  return { default: undefined, defaultText: byDefault, ...row, secret, show }
}
