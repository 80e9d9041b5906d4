/** A list of whole numbers below 2^32, with 4 bytes for each. */
export class Numbers {
  #values = new Uint32Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Uint32Array(this.#values.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length++] = value
  }

  /** 0 outside of the list. */
  at(index: number): number {
    return this.#values[index] ?? 0
  }

  /** The index of the last number that is at most `limit`, in a list in order; -1 if there is none. */
  lastAtMost(limit: number): number {
    let [low, high] = [0, this.#length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.at(middle) <= limit) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}
