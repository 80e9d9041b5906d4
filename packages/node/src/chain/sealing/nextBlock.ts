import type { Header } from '../../ethereum/header.ts'

/** Configurable fields of a block. */
export type NextBlockFields = Partial<Pick<Header, 'baseFeePerGas' | 'coinbase' | 'gasLimit' | 'mixHash'>>

/** Numbers are decimal strings. */
export type NextBlockSettings = { baseFeePerGas?: string; coinbase?: Header['coinbase']; gasLimit?: string } & Pick<
  NextBlockFields,
  'mixHash'
>

/**
 * The configured fields of the next block. That block consumes them, and later ones follow from it, as every block does
 * from its parent. A gas limit persists; otherwise the live chain's would replace it.
 */
export class NextBlock {
  #fields: NextBlockFields = {}

  constructor(settings: NextBlockSettings | undefined) {
    this.restore(settings)
  }

  restore({ baseFeePerGas, gasLimit, ...rest }: NextBlockSettings = {}): void {
    this.#fields = {
      ...rest,
      ...(baseFeePerGas !== undefined && { baseFeePerGas: BigInt(baseFeePerGas) }),
      ...(gasLimit !== undefined && { gasLimit: BigInt(gasLimit) }),
    }
  }

  get settings(): NextBlockSettings {
    const { baseFeePerGas, gasLimit, ...rest } = this.#fields
    return {
      ...rest,
      ...(baseFeePerGas !== undefined && { baseFeePerGas: baseFeePerGas.toString() }),
      ...(gasLimit !== undefined && { gasLimit: gasLimit.toString() }),
    }
  }

  get isEmpty(): boolean {
    return Object.keys(this.#fields).length === 0
  }

  set(fields: NextBlockFields): void {
    this.#fields = { ...this.#fields, ...fields }
  }

  /** The header with the configured fields. Blocks before London have no base fee. */
  apply(header: Header): Header {
    if (this.isEmpty) return header
    const { baseFeePerGas = header.baseFeePerGas } = this.#fields
    return { ...header, ...this.#fields, baseFeePerGas: header.baseFeePerGas === undefined ? undefined : baseFeePerGas }
  }

  /** Called when a block has used the fields. */
  sealed(): void {
    const { gasLimit } = this.#fields
    this.#fields = gasLimit === undefined ? {} : { gasLimit }
  }
}
