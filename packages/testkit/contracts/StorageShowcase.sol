// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Counter} from "./Counter.sol";

type Price is uint128;

/// @notice A variable of every kind that a contract can have.
contract StorageShowcase {
    enum Phase {
        Open,
        Closed,
        Settled
    }

    struct Point {
        int64 x;
        int64 y;
        bool visible;
    }

    struct User {
        address wallet;
        uint96 score;
        string name;
        Point home;
        uint16[] marks;
        mapping(bytes4 => uint256) limits;
    }

    // Five in one slot.
    bool public active = true;
    uint8 public tiny = 200;
    int16 public negative = -2;
    address public owner;
    bytes4 public tag = 0xdeadbeef;
    // One each.
    uint256 public supply = 10 ** 24;
    int256 public balance = -5;
    bytes32 public digest = keccak256("digest");
    Phase public phase = Phase.Settled;
    Counter public counter;
    Price public price;
    function() external public callback;
    // Texts.
    string public short = "exactly thirty-one bytes of it!";
    string public long;
    bytes public data = hex"c0ffee";
    // Structs and arrays.
    Point public origin = Point(-1, 2, true);
    uint8[5] public small = [1, 2, 3, 4, 5];
    uint128[3] public halves = [uint128(7), 8, 9];
    uint24[2][] public pairs;
    Point[] public path;
    address[] public members;
    // Mappings.
    mapping(address => uint256) public balances;
    mapping(address => mapping(uint8 => bool)) public flags;
    mapping(int32 => Point) public points;
    mapping(string => uint256) public byName;
    mapping(uint256 => User) internal users;

    constructor(Counter counter_) {
        owner = msg.sender;
        counter = counter_;
        price = Price.wrap(77);
        callback = this.poke;
        long = "a text that needs more than one slot, because it has more than thirty-one bytes; and then some";
        pairs.push([uint24(1), 2]);
        pairs.push([uint24(3), 4]);
        for (uint256 i = 0; i < 30; i++) {
            members.push(address(uint160(0x1000 + i)));
            if (i < 3) path.push(Point(int64(int256(i)), -int64(int256(i)), i == 1));
        }
    }

    function poke() external {}

    function pay(address to, uint256 amount) external {
        balances[to] += amount;
    }

    function flag(address who, uint8 bit, bool on) external {
        flags[who][bit] = on;
    }

    function put(int32 at, int64 x) external {
        points[at].x = x;
    }

    function call(string calldata name, uint256 value) external {
        byName[name] = value;
    }

    function enrol(uint256 id, string calldata name, bytes4 limit, uint256 most) external {
        User storage user = users[id];
        user.wallet = msg.sender;
        user.score = 12;
        user.name = name;
        user.home = Point(5, -6, true);
        user.marks.push(3);
        user.marks.push(65535);
        user.limits[limit] = most;
    }
}
