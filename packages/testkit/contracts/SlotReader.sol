// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Reads many storage slots in one call.
contract SlotReader {
    mapping(uint256 => uint256) public values;

    /// @notice Sets `values[0..count)` to `base + index`.
    function fill(uint256 count, uint256 base) external {
        for (uint256 i = 0; i < count; i++) values[i] = base + i;
    }

    /// @notice Sets `values[start..start+count)` to their keys, and one more.
    function fillFrom(uint256 start, uint256 count) external {
        for (uint256 i = start; i < start + count; i++) values[i] = i + 1;
    }

    function set(uint256 key, uint256 value) external {
        values[key] = value;
    }

    /// @notice Reads `values[0..count)`: independent slots, all known from the start.
    function sum(uint256 count) external view returns (uint256 total) {
        for (uint256 i = 0; i < count; i++) total += values[i];
    }

    /// @notice Reads `values[start..start+count)`.
    function sumFrom(uint256 start, uint256 count) external view returns (uint256 total) {
        for (uint256 i = start; i < start + count; i++) total += values[i];
    }

    /// @notice Follows `values` from key to key: the next slot is known only when the one before was read.
    function chase(uint256 start, uint256 steps) external view returns (uint256 key) {
        key = start;
        for (uint256 i = 0; i < steps; i++) key = values[key];
    }
}
