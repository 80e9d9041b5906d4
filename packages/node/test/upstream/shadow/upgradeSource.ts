/** The token of the testkit with another implementation, which refuses every seventh amount. */
export const upgradeSource = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Upgrade {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    event Transfer(address indexed from, address indexed to, uint256 value);
    function transfer(address to, uint256 value) external returns (bool) { move(msg.sender, to, value); return true; }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }
    function move(address from, address to, uint256 value) internal {
        require(value % 7 != 0, "not sevens");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}`
