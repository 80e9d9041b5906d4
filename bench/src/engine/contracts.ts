import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

const require = createRequire(import.meta.url)

const source = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Tiny { uint256 public value = 1; }

contract Work {
  mapping(uint256 => uint256) slots;

  function arithmetic(uint256 rounds) external pure returns (uint256 x) {
    unchecked { x = 1; for (uint256 i = 0; i < rounds; i++) x = x * 31 + (i ^ x); }
  }
  function division(uint256 rounds) external pure returns (uint256 sum) {
    unchecked {
      uint256 x = type(uint256).max / 7;
      for (uint256 i = 1; i <= rounds; i++) { sum += x / (i << 100); sum ^= x % (i << 70); sum += mulmod(x, sum, i << 180); }
    }
  }
  function hashes(uint256 rounds) external pure returns (bytes32 hash) {
    unchecked { for (uint256 i = 0; i < rounds; i++) hash = keccak256(abi.encodePacked(hash, i)); }
  }
  function newHashes(uint256 rounds) external view returns (bytes32 hash) {
    hash = bytes32(gasleft());
    unchecked { for (uint256 i = 0; i < rounds; i++) hash = keccak256(abi.encodePacked(hash, i)); }
  }
  function writes(uint256 rounds) external {
    unchecked { for (uint256 i = 0; i < rounds; i++) slots[i] += i + 1; }
  }
  function recovers(uint256 rounds) external pure returns (address last) {
    for (uint256 i = 0; i < rounds; i++) last = ecrecover(
      0x456e9aea5e197a1f1af7a3e85a3212fa4049a3ba34c2289b4c860fc0b0c64ef3, 28,
      0x9242685bf161793cc25603c231bc2f568eb630ea16aa137d2664ac8038825608,
      0x4f8ae3bd7535248d0bd448298cc2e2071e56992d0774dc340c368ae950852ada);
  }
  function creates(uint256 rounds) external { for (uint256 i = 0; i < rounds; i++) new Tiny(); }
  function fillMemory(uint256 words) external pure returns (uint256 sum) {
    uint256[] memory list = new uint256[](words);
    unchecked { for (uint256 i = 0; i < words; i++) list[i] = i; for (uint256 i = 0; i < words; i++) sum += list[i]; }
  }
  function digest(bytes calldata data) external pure returns (bytes32) { return keccak256(data); }
}`

type Compiled = { abi: Abi; bytecode: Hex }

/** Compiles the small contracts of this bench. */
export function compileWork(): Compiled {
  const solc = require('solc') as { compile(input: string): string }
  const input = {
    language: 'Solidity',
    sources: { 'Work.sol': { content: source } },
    settings: {
      optimizer: { enabled: true, runs: 1000 },
      evmVersion: 'shanghai',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  const contract = output.contracts?.['Work.sol']?.Work
  if (contract === undefined) throw new Error(JSON.stringify(output.errors))
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }
}

/**
 * Calls a contract repeatedly with the same input, in one message. Input: target (a word), how many times (a word), the
 * inner input. Reverts when an inner call fails.
 */
export const repeaterCode: Hex =
  '0x604036038060406000376020355b8015602c576000600083600060006000355af115602e5760019003600d565b005b3d600060003e3d6000fd'
