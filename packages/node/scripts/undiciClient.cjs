// As much of undici as this package uses. The whole has fetch, caches and mocks too, which take time at every start.
const Agent = require('undici/lib/dispatcher/agent.js')
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js')
const request = require('undici/lib/api/api-request.js')

Object.assign(Dispatcher.prototype, { request })

module.exports = { Agent }
