/** Stands in for the binary of Hardhat's own simulated network, which is for other releases of Node.js and never started here. */
module.exports = {}
