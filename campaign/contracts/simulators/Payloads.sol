// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Executes lists of calls after a delay. Clients of governance override the first slot of an entry, by its layout:
/// the mapping is in slot 3.
contract Payloads {
    enum State { None, Created, Queued, Executed, Cancelled, Expired }

    struct Action {
        address target;
        bool withDelegateCall;
        uint8 accessLevel;
        uint256 value;
        string signature;
        bytes callData;
    }

    struct Payload {
        address creator;
        uint8 maximumAccessLevelRequired;
        State state;
        uint40 createdAt;
        uint40 queuedAt;
        uint40 executedAt;
        uint40 cancelledAt;
        uint40 expirationTime;
        uint40 delay;
        uint40 gracePeriod;
        Action[] actions;
    }

    event PayloadExecuted(uint40 payloadId);

    address public owner = msg.sender;
    address public guardian = msg.sender;
    address public executor = msg.sender;
    uint40 public payloadsCount;
    mapping(uint40 => Payload) private payloads;

    function createPayload(Action[] calldata actions) external returns (uint40 payloadId) {
        payloadId = payloadsCount++;
        Payload storage payload = payloads[payloadId];
        payload.creator = msg.sender;
        payload.state = State.Created;
        payload.createdAt = uint40(block.timestamp);
        payload.delay = 1 days;
        payload.gracePeriod = 7 days;
        payload.expirationTime = uint40(block.timestamp + 35 days);
        for (uint256 index; index < actions.length; index++) payload.actions.push(actions[index]);
    }

    function getPayloadById(uint40 payloadId) external view returns (Payload memory) {
        return payloads[payloadId];
    }

    function executePayload(uint40 payloadId) external payable {
        Payload storage payload = payloads[payloadId];
        require(payload.state == State.Queued, "PAYLOAD_NOT_IN_QUEUED_STATE");
        require(block.timestamp > payload.queuedAt + payload.delay, "TIMELOCK_NOT_FINISHED");
        payload.state = State.Executed;
        payload.executedAt = uint40(block.timestamp);
        for (uint256 index; index < payload.actions.length; index++) {
            Action storage action = payload.actions[index];
            (bool succeeded, bytes memory answer) = action.target.call{value: action.value}(action.callData);
            if (!succeeded) assembly { revert(add(answer, 32), mload(answer)) }
        }
        emit PayloadExecuted(payloadId);
    }
}
