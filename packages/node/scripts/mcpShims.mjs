// What the server of the Model Context Protocol's SDK takes from its platform.
export { default as process } from 'node:process'

/** Only asked for when a server asks its user, which ours does not. */
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('This build validates no JSON Schema')
  }
}
