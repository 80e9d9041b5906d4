import { expect, it } from 'vitest'
import { type Span, Timeline } from './timeline.ts'

const valueAt = (timeline: Timeline, spans: Span[], block: number) => timeline.find(spans, block)?.value

it('holds a value from the block of its reading up to the tip, until a block changes it', () => {
  const timeline = new Timeline(10, 0)
  const spans: Span[] = []
  timeline.add(spans, 1n, 10)
  timeline.moveTo(12)
  timeline.change(spans, 13, 2n)
  timeline.moveTo(13)
  expect([9, 10, 12, 13, 14].map((block) => valueAt(timeline, spans, block))).toEqual([
    undefined,
    1n,
    1n,
    2n,
    undefined,
  ])
})

it('ends a value below which a newer one was read', () => {
  const timeline = new Timeline(10, 0)
  const spans: Span[] = []
  timeline.add(spans, 1n, 8)
  timeline.add(spans, 1n, 10)
  timeline.change(spans, 11, undefined)
  timeline.moveTo(11)
  expect([8, 9, 10, 11].map((block) => valueAt(timeline, spans, block))).toEqual([1n, undefined, 1n, undefined])
})

it('knows nothing of a block that was reached by an unknown way', () => {
  const timeline = new Timeline(10, 0)
  const spans: Span[] = []
  timeline.add(spans, 1n, 10)
  timeline.restartAt(50)
  expect([10, 11, 50].map((block) => valueAt(timeline, spans, block))).toEqual([1n, undefined, undefined])
  timeline.carry(spans, 10)
  expect([10, 11, 50].map((block) => valueAt(timeline, spans, block))).toEqual([1n, undefined, 1n])
})

it('takes back what blocks changed that are no longer part of the chain', () => {
  const timeline = new Timeline(10, 0)
  const spans: Span[] = []
  timeline.add(spans, 1n, 10)
  timeline.change(spans, 12, 2n)
  timeline.moveTo(12)
  timeline.restartAt(20)
  timeline.add(spans, 3n, 20)
  timeline.rewind(spans, 11)
  timeline.rewindTo(11)
  timeline.moveTo(14)
  expect([10, 11, 14, 20].map((block) => valueAt(timeline, spans, block))).toEqual([1n, 1n, 1n, undefined])
})

it('answers what was just read at an old block, however many newer values there are', () => {
  const timeline = new Timeline(10, 0)
  const spans: Span[] = []
  timeline.add(spans, 10n, 10)
  for (let block = 11; block < 30; block++) {
    timeline.change(spans, block, BigInt(block))
    timeline.moveTo(block)
  }
  timeline.add(spans, 5n, 5)
  expect([5, 29].map((block) => valueAt(timeline, spans, block))).toEqual([5n, 29n])
})

it('remembers no end of a generation in which nothing was open', () => {
  const timeline = new Timeline(10, 10)
  const spans: Span[] = []
  timeline.add(spans, 1n, 10)
  for (let tip = 20; tip < 1_000; tip += 10) timeline.restartAt(tip)
  expect(timeline.generationsOver).toBe(1)
  // What is kept stays, with an end of its own.
  expect(timeline.sweep(spans)).toBe(true)
  timeline.swept()
  expect(timeline.sweep(spans)).toBe(false)
  expect([9, 10, 11].map((block) => valueAt(timeline, spans, block))).toEqual([undefined, 1n, undefined])
})

it('goes on where it was stored', () => {
  const timeline = new Timeline(10, 0)
  const spans: Span[] = []
  timeline.add(spans, 1n, 10)
  timeline.restartAt(12)
  const again = Timeline.from(JSON.parse(JSON.stringify(timeline.record)), 0)
  expect([10, 12].map((block) => valueAt(again, spans, block))).toEqual([1n, undefined])
})
