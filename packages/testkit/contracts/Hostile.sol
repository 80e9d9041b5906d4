// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Runs until its gas is gone.
contract Looper {
    uint256 public writes;

    function spin() external pure {
        while (true) {}
    }

    function write() external {
        while (true) writes += 1;
    }

    function log() external {
        while (true) {
            assembly {
                log0(0, 1024)
            }
        }
    }
}

/// @notice Calls itself until the gas or the depth is gone.
contract Recursor {
    uint256 public deepest;

    function dive(uint256 depth) public returns (uint256) {
        if (depth > deepest) deepest = depth;
        try this.dive(depth + 1) {} catch {}
        return deepest;
    }

    /// @notice Two calls in each frame: 2^depth frames.
    function fork(uint256 depth) public {
        if (depth == 0) return;
        try this.fork(depth - 1) {} catch {}
        try this.fork(depth - 1) {} catch {}
    }
}

/// @notice Asks for memory and return data without end.
contract MemoryBomb {
    function expand() external pure returns (uint256 size) {
        while (true) {
            size = size == 0 ? 1024 : size * 2;
            assembly {
                mstore(size, 1)
            }
        }
    }

    function far() external pure {
        assembly {
            mstore(0xffffffffffffffff, 1)
        }
    }

    function returnMuch(uint256 size) external pure {
        assembly {
            return(0, size)
        }
    }

    function revertMuch(uint256 size) external pure {
        assembly {
            revert(0, size)
        }
    }
}
