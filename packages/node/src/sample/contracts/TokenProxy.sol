// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "./ERC20.sol";

/// @notice The implementation behind `TokenProxy`.
contract ProxiedToken is ERC20 {
    string public name;
    string public symbol;
    bool private initialized;

    error AlreadyInitialized();

    function initialize(string calldata name_, string calldata symbol_, address to, uint256 supply) external {
        if (initialized) revert AlreadyInitialized();
        initialized = true;
        name = name_;
        symbol = symbol_;
        _mint(to, supply);
    }

    function decimals() external pure returns (uint8) {
        return 6;
    }
}

/// @notice A proxy as EIP-1967 describes it; its admin may change the implementation.
contract TokenProxy {
    /// keccak256("eip1967.proxy.implementation") - 1
    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    /// keccak256("eip1967.proxy.admin") - 1
    bytes32 private constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    event Upgraded(address indexed implementation);
    event AdminChanged(address previousAdmin, address newAdmin);

    constructor(address implementation, bytes memory initializer) {
        _store(ADMIN, msg.sender);
        emit AdminChanged(address(0), msg.sender);
        _upgrade(implementation);
        (bool ok, bytes memory reason) = implementation.delegatecall(initializer);
        if (!ok) {
            assembly {
                revert(add(reason, 32), mload(reason))
            }
        }
    }

    /// @notice For everybody but the admin, this too is a call of the implementation.
    function upgradeTo(address implementation) external {
        if (msg.sender == _load(ADMIN)) _upgrade(implementation);
        else _delegate();
    }

    fallback() external payable {
        _delegate();
    }

    receive() external payable {
        _delegate();
    }

    function _upgrade(address implementation) private {
        _store(IMPLEMENTATION, implementation);
        emit Upgraded(implementation);
    }

    function _delegate() private {
        address implementation = _load(IMPLEMENTATION);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), implementation, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }

    function _load(bytes32 slot) private view returns (address value) {
        assembly {
            value := sload(slot)
        }
    }

    function _store(bytes32 slot, address value) private {
        assembly {
            sstore(slot, value)
        }
    }
}
