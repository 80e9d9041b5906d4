// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Child {
    address public immutable parent;
    uint256 public immutable number;
    uint256 public value;

    constructor(uint256 number_) payable {
        parent = msg.sender;
        number = number_;
        value = number_;
    }

    function set(uint256 value_) external {
        value = value_;
    }

    function destroy(address payable to) external {
        selfdestruct(to);
    }
}

contract Factory {
    event Created(address child, bytes32 salt);

    address[] public children;

    function create(uint256 number) external payable returns (address child) {
        child = address(new Child{value: msg.value}(number));
        children.push(child);
        emit Created(child, 0);
    }

    function create2(uint256 number, bytes32 salt) external payable returns (address child) {
        child = address(new Child{value: msg.value, salt: salt}(number));
        children.push(child);
        emit Created(child, salt);
    }

    function addressOf(uint256 number, bytes32 salt) external view returns (address) {
        bytes32 initCodeHash = keccak256(abi.encodePacked(type(Child).creationCode, number));
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, initCodeHash));
        return address(uint160(uint256(hash)));
    }

    /// @notice Creates and destroys in one transaction.
    function flash(uint256 number, address payable to) external payable {
        new Child{value: msg.value}(number).destroy(to);
    }
}
