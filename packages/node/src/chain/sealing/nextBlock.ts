import type { Header } from '../../ethereum/header.ts'

/** What a block can be given by hand. */
export type NextBlockFields = Partial<Pick<Header, 'baseFeePerGas' | 'coinbase' | 'gasLimit' | 'mixHash'>>

/** Numbers in decimal digits. */
export type NextBlockSettings = { baseFeePerGas?: string; coinbase?: Header['coinbase']; gasLimit?: string } & Pick<
  NextBlockFields,
  'mixHash'
>

/**
 * What the next block is given by hand. That block uses it up; later ones go on from it, as every block does from its parent. A
 * gas limit lasts: otherwise that of the live chain's next block would take its place.
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

  /** The header as it is with what was given. Blocks before London have no base fee. */
  apply(header: Header): Header {
    if (this.isEmpty) return header
    const { baseFeePerGas = header.baseFeePerGas } = this.#fields
    return { ...header, ...this.#fields, baseFeePerGas: header.baseFeePerGas === undefined ? undefined : baseFeePerGas }
  }

  /** Says that a block took it. */
  sealed(): void {
    const { gasLimit } = this.#fields
    this.#fields = gasLimit === undefined ? {} : { gasLimit }
  }
}
