// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";

/// @notice EIP-1967, as OpenZeppelin makes it.
contract Eip1967Proxy is ERC1967Proxy {
    constructor(address implementation) ERC1967Proxy(implementation, "") {}

    function _unsafeAllowUninitialized() internal pure override returns (bool) {
        return true;
    }
}

/// @notice A beacon that names the implementation of proxies.
contract Beacon is UpgradeableBeacon {
    constructor(address implementation) UpgradeableBeacon(implementation, msg.sender) {}
}

contract Eip1967BeaconProxy is BeaconProxy {
    constructor(address beacon) payable BeaconProxy(beacon, "") {}
}

/// @notice Makes EIP-1167 clones.
contract CloneMaker {
    event Cloned(address clone);

    function make(address implementation) external {
        emit Cloned(Clones.clone(implementation));
    }
}

abstract contract Delegator {
    function target() internal view virtual returns (address);

    fallback() external payable {
        address to = target();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// @notice A proxy whose implementation stands in a slot of choice: EIP-1822, or OpenZeppelin's before EIP-1967.
contract SlotProxy is Delegator {
    bytes32 private immutable slot;

    constructor(bytes32 slot_, address implementation) {
        slot = slot_;
        assembly {
            sstore(slot_, implementation)
        }
    }

    function target() internal view override returns (address to) {
        bytes32 at = slot;
        assembly {
            to := sload(at)
        }
    }
}

/// @notice As Safe's proxy: the singleton is in slot 0, and `masterCopy()` answers it.
contract SafeStyleProxy {
    address internal singleton;

    constructor(address singleton_) {
        singleton = singleton_;
    }

    fallback() external payable {
        assembly {
            let to := and(sload(0), 0xffffffffffffffffffffffffffffffffffffffff)
            if eq(calldataload(0), 0xa619486e00000000000000000000000000000000000000000000000000000000) {
                mstore(0, to)
                return(0, 0x20)
            }
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// @notice EIP-2535, with the facet that lists the facets.
contract Diamond {
    struct Facet {
        address facetAddress;
        bytes4[] functionSelectors;
    }

    Facet[] private list;
    mapping(bytes4 => address) private facetOf;

    constructor(Facet[] memory facets_) {
        for (uint256 i = 0; i < facets_.length; i++) {
            list.push(facets_[i]);
            for (uint256 j = 0; j < facets_[i].functionSelectors.length; j++) {
                facetOf[facets_[i].functionSelectors[j]] = facets_[i].facetAddress;
            }
        }
    }

    function facets() external view returns (Facet[] memory) {
        return list;
    }

    fallback() external payable {
        address to = facetOf[msg.sig];
        require(to != address(0), "no such function");
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// @notice EIP-897: tells its implementation, which stands somewhere of its own.
contract TellingProxy is Delegator {
    bytes32 private constant at = keccak256("some.slot.of.its.own");

    constructor(address implementation_) {
        bytes32 slot = at;
        assembly {
            sstore(slot, implementation_)
        }
    }

    function implementation() external view returns (address) {
        return target();
    }

    function target() internal view override returns (address to) {
        bytes32 slot = at;
        assembly {
            to := sload(slot)
        }
    }
}
