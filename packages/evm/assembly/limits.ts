/**
 * Set when a run filled a region of memory. What follows in that run is meaningless and harmless: the host throws the run away,
 * answers "out of gas" and evicts everything resident.
 */
export let exhausted: bool = false

export function clearExhausted(): void {
  exhausted = false
}

export function setExhausted(): void {
  exhausted = true
}
