import type { Done, StateDiff } from '@understudy/evm'

/** A result with other fees. A class, because a copy would read all parts of the result, which are read when they are needed. */
export class RepricedResult implements Done {
  readonly type = 'done'
  readonly surcharge: bigint
  readonly diff: StateDiff
  readonly #result: Done

  constructor(result: Done, surcharge: bigint, diff: StateDiff) {
    this.#result = result
    this.surcharge = surcharge
    this.diff = diff
  }

  get status() {
    return this.#result.status
  }

  get halt() {
    return this.#result.halt
  }

  get gasUsed() {
    return this.#result.gasUsed
  }

  get gasRefund() {
    return this.#result.gasRefund
  }

  get blockGas() {
    return this.#result.blockGas
  }

  get createdAddress() {
    return this.#result.createdAddress
  }

  get framesTruncated() {
    return this.#result.framesTruncated
  }

  get consoleCalls() {
    return this.#result.consoleCalls
  }

  get output() {
    return this.#result.output
  }

  get logs() {
    return this.#result.logs
  }

  get readSet() {
    return this.#result.readSet
  }

  get frames() {
    return this.#result.frames
  }

  get preimages() {
    return this.#result.preimages
  }
}
