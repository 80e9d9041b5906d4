// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Reverter {
    error Refused(address caller, uint256 amount, string why);

    uint256 public attempts;

    function withReason(string calldata reason) external pure {
        revert(reason);
    }

    function withCustomError(uint256 amount) external view {
        revert Refused(msg.sender, amount, "as asked");
    }

    function withPanic(uint256 divisor) external pure returns (uint256) {
        return 1 / divisor;
    }

    function withAssert() external pure {
        assert(false);
    }

    function withNothing() external pure {
        revert();
    }

    function withInvalidOpcode() external pure {
        assembly {
            invalid()
        }
    }

    /// @notice Writes, and reverts when asked to.
    function attempt(bool fail) external returns (uint256) {
        attempts += 1;
        require(!fail, "attempt failed");
        return attempts;
    }

    /// @notice Catches the revert of an inner call that wrote.
    function attemptInside() external returns (bool caught) {
        try this.attempt(true) {} catch {
            caught = true;
        }
    }
}
