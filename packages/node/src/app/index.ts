export { type Config, createConfig } from '../config/config.ts'
export { createNode, type Node } from './createNode.ts'
