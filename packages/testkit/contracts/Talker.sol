// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Logs as `console` of Hardhat and forge-std does.
contract Talker {
    uint256 public last;

    function talk(uint256 number) external returns (uint256) {
        _log(abi.encodeWithSignature("log(string,uint256)", "the number is %d", number));
        _log(abi.encodeWithSignature("log(uint,bool)", number, true));
        last = number;
        return number;
    }

    function look() external view returns (uint256) {
        _log(abi.encodeWithSignature("log(string)", "looked\n\x1b[2Jat it"));
        return last;
    }

    function fail() external view {
        _log(abi.encodeWithSignature("log(string,address)", "sent by", msg.sender));
        revert("no");
    }

    function halt() external view {
        _log(abi.encodeWithSignature("log(string)", "before the end"));
        _log(hex"00112233");
        assembly {
            invalid()
        }
    }

    function _log(bytes memory data) private view {
        (bool ok, ) = address(0x000000000000000000636F6e736F6c652e6c6f67).staticcall(data);
        ok;
    }
}
