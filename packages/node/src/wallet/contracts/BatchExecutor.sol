// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Code of an account that runs several calls in one transaction, all or none (EIP-7702).
contract BatchExecutor {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    error NotTheAccount(address caller);

    receive() external payable {}

    /// Only for the account itself.
    function execute(Call[] calldata calls) external payable {
        if (msg.sender != address(this)) revert NotTheAccount(msg.sender);
        for (uint256 i; i < calls.length; ++i) {
            (bool success, bytes memory result) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (!success) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
        }
    }

    /// ERC-1271: contracts ask it because the account has code now. It accepts what the account's key signed.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        address signer =
            ecrecover(hash, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return signer == address(this) ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return this.onERC1155BatchReceived.selector;
    }
}
