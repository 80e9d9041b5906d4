// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Events {
    event Plain(uint256 value);
    event Indexed(address indexed who, uint256 indexed id, bytes32 indexed tag, string text);
    event Dynamic(string indexed key, bytes data, uint256[] list);
    event Hidden(uint256 indexed value) anonymous;

    function emitPlain(uint256 value) external {
        emit Plain(value);
    }

    function withTopics(uint256 id, bytes32 tag, string calldata text) external {
        emit Indexed(msg.sender, id, tag, text);
    }

    function withDynamicTopic(string calldata key, bytes calldata data, uint256[] calldata list) external {
        emit Dynamic(key, data, list);
    }

    function emitHidden(uint256 value) external {
        emit Hidden(value);
    }

    function emitMany(uint256 count) external {
        for (uint256 i = 0; i < count; i++) emit Plain(i);
    }
}
