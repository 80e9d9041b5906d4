export const path = 'Work.sol'

/** Lines end with `// NAME`, by which steps name them. */
export const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Work {
    uint256 public sum;
    mapping(uint256 => uint256) private kept;
    Child private child = new Child();

    function work() external {
        uint256[] memory list = new uint256[](2000);
        for (uint256 i = 0; ; i++) { // loop
            uint256 part = mixed(i, list[i % 2000]); // mixes
            list[i % 2000] = part;
            if (i % 16 == 0) sum = part; // writes
            if (i % 64 == 0) kept[i % 1024] = child.half(part); // calls
        }
    }

    function mixed(uint256 index, uint256 before) internal pure returns (uint256) {
        bytes32 hash = keccak256(abi.encode(index, before)); // hashes
        return before ^ uint256(hash); // joins
    }
}

contract Child {
    function half(uint256 number) external pure returns (uint256) {
        return number / 2; // halves
    }
}
`

export const lineOf = (name: string) => source.split('\n').findIndex((text) => text.endsWith(`// ${name}`)) + 1
