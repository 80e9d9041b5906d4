import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A host's key and certificate, and the file with the certificate of the authority that signed it. */
export type Certificate = { key: Buffer; cert: Buffer; authority: string }

/** Makes a certificate for a host name, signed by an authority of its own, with openssl. Its files are in the directory. */
export async function createCertificate(directory: string, host: string): Promise<Certificate> {
  const at = (name: string) => join(directory, name)
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: directory })
  const key = ['-newkey', 'rsa:2048', '-nodes']
  await openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=tests')
  await openssl('req', ...key, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', `/CN=${host}`)
  writeFileSync(at('extensions'), `subjectAltName=DNS:${host}\nbasicConstraints=CA:FALSE\n`)
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'extensions']
  await openssl('x509', '-req', '-in', 'request.pem', '-out', 'certificate.pem', ...signing)
  return { key: readFileSync(at('key.pem')), cert: readFileSync(at('certificate.pem')), authority: at('ca.pem') }
}
