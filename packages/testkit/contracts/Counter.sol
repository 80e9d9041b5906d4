// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Counter {
    uint256 public number;

    event Increased(address indexed by, uint256 number);

    constructor(uint256 start) payable {
        number = start;
    }

    function increment() external returns (uint256) {
        number += 1;
        emit Increased(msg.sender, number);
        return number;
    }

    function setNumber(uint256 value) external {
        number = value;
    }

    receive() external payable {}
}
