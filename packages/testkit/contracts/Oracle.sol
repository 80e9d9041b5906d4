// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice A Chainlink-shaped price feed.
contract Oracle {
    uint8 public constant decimals = 8;
    string public constant description = "TEST / USD";

    struct Round {
        int256 answer;
        uint64 startedAt;
        uint64 updatedAt;
    }

    uint80 public latestRound;
    mapping(uint80 => Round) private rounds;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    constructor(int256 answer) {
        update(answer);
    }

    function update(int256 answer) public {
        latestRound += 1;
        rounds[latestRound] = Round(answer, uint64(block.timestamp), uint64(block.timestamp));
        emit AnswerUpdated(answer, latestRound, block.timestamp);
    }

    function getRoundData(uint80 roundId)
        public
        view
        returns (uint80, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        Round memory round = rounds[roundId];
        require(round.updatedAt != 0, "No data present");
        return (roundId, round.answer, round.startedAt, round.updatedAt, roundId);
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        return getRoundData(latestRound);
    }
}

/// @notice Values collateral by an oracle that it asks with STATICCALL.
contract Lender {
    Oracle public immutable oracle;
    mapping(address => uint256) public collateral;
    mapping(address => uint256) public debt;

    error Undercollateralised(uint256 value, uint256 debt);

    constructor(Oracle oracle_) {
        oracle = oracle_;
    }

    function deposit() external payable {
        collateral[msg.sender] += msg.value;
    }

    /// @notice The price of 1e18 units of collateral, in the oracle's decimals.
    function price() public view returns (int256 answer) {
        (, answer,,,) = oracle.latestRoundData();
    }

    function collateralValue(address account) public view returns (uint256) {
        return collateral[account] * uint256(price()) / 1e18;
    }

    function borrow(uint256 amount) external {
        uint256 value = collateralValue(msg.sender);
        debt[msg.sender] += amount;
        if (debt[msg.sender] * 3 > value * 2) revert Undercollateralised(value, debt[msg.sender]);
    }

    function isLiquidatable(address account) external view returns (bool) {
        return debt[account] * 5 > collateralValue(account) * 4;
    }
}
