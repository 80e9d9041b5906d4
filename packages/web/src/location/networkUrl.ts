/** The path of a branch, or of one of several networks behind a port: `/n/NAME`. Empty for the only network. */
export const networkPath = /^(?:\/n\/[^/]+)*/.exec(window.location.pathname)?.[0] ?? ''

/** Where the network that this page shows answers JSON-RPC, without a slash at its end. */
export const networkUrl = window.location.origin + networkPath

/** Where a server of several networks lists them. */
export const listPath = '/networks'

/** Whether this page is that list, which belongs to no network. */
export const isNetworkList = window.location.pathname === listPath
