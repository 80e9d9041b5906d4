// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice A price feed with the interface of Chainlink's AggregatorV3. Its owner sets the price.
contract PriceFeed {
    uint256 public constant version = 1;
    uint8 public immutable decimals;
    address public immutable owner;
    string public description;

    struct Round {
        int192 answer;
        uint64 updatedAt;
    }

    uint80 public latestRound;
    mapping(uint80 => Round) private rounds;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    error NotOwner(address caller);
    error NoDataPresent(uint80 roundId);

    constructor(string memory description_, uint8 decimals_, int192 answer) {
        description = description_;
        decimals = decimals_;
        owner = msg.sender;
        _update(answer);
    }

    function update(int192 answer) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _update(answer);
    }

    function getRoundData(uint80 id)
        public
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        Round memory round = rounds[id];
        if (round.updatedAt == 0) revert NoDataPresent(id);
        return (id, round.answer, round.updatedAt, round.updatedAt, id);
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        return getRoundData(latestRound);
    }

    function _update(int192 answer) private {
        latestRound += 1;
        rounds[latestRound] = Round(answer, uint64(block.timestamp));
        emit AnswerUpdated(answer, latestRound, block.timestamp);
    }
}
