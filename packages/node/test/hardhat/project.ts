import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

/** A small project: contracts with immutables, two of one name, a library and an interface. */
export const sources = {
  'contracts/Tally.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Tally {
    uint256 public count;
    address public owner;
    uint256 public immutable step;

    constructor(uint256 step_) {
        step = step_;
        owner = msg.sender;
    }

    function increase() external {
        count += step;
    }
}
`,
  'contracts/Vault.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

library Sums {
    function twice(uint256 value) internal pure returns (uint256) {
        return 2 * value;
    }
}

contract Vault {
    mapping(address => uint256) public held;
    uint256 public immutable limit;

    constructor(uint256 limit_) {
        limit = Sums.twice(limit_);
    }
}
`,
  'contracts/old/Tally.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Tally {
    bool public done = true;
}
`,
  'contracts/Countable.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Countable {
    function count() external view returns (uint256);
}
`,
}

/** What either version of Hardhat compiled. */
export function readHardhatArtifact(directory: string, name: string): { abi: Abi; bytecode: Hex } {
  return JSON.parse(readFileSync(join(directory, `artifacts/contracts/${name}.sol/${name}.json`), 'utf8'))
}
