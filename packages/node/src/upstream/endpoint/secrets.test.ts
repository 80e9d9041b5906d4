import { expect, test } from 'vitest'
import { createRedactor, endpointName } from './secrets.ts'

test.each([
  ['http://127.0.0.1:8545', 'http://127.0.0.1:8545'],
  ['https://eth.example/v2/s3cretKey', 'https://eth.example/***'],
  ['https://eth.example/?apikey=s3cretKey', 'https://eth.example/***'],
  ['https://user:s3cretKey@eth.example', 'https://eth.example/***'],
])('%s is called %s', (url, name) => {
  expect(endpointName(new URL(url))).toBe(name)
})

test('keys are taken out of texts, wherever in the URL or the headers they stand', () => {
  const urls = [
    'https://a.example/v2/pathKey1',
    'https://b.example/?dkey=query%20Key2',
    'https://me:passKey3@c.example',
  ]
  const redact = createRedactor(
    urls.map((url) => new URL(url)),
    { authorization: 'Bearer headerKey4' },
  )
  expect(redact('v2: pathKey1, query%20Key2, query Key2, passKey3, headerKey4')).toBe('v2: ***, ***, ***, ***, ***')
})
