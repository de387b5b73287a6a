"""The secret of a campaign's dice and the crowns of its trees, as they lie beside the stream, and the trees made of
them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import insert, update

from pbem.campaign.store import Store
from pbem.campaign.vault import Vault
from pbem.table.dice import DiceTree


class TreeOnDemand:
    """A tree of the dice that is made when something is thrown: most orders throw nothing."""

    def __init__(self, number: int, size: int, make: Callable[[], DiceTree]):
        self.tree, self.size = number, size
        self._make = make
        self._made: DiceTree | None = None

    def spent(self, leaf: int) -> bool:
        """As `DiceTree.spent`, without making the tree."""
        return self.size - leaf < max(1, self.size // 8)

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            self._made = self._make()
        return getattr(self._made, name)


class DiceBox:
    """What the store keeps of the dice of all campaigns."""

    def __init__(self, store: Store, vault: Vault):
        self.store, self.vault = store, vault

    def secret(self, campaign: str) -> bytes:
        """The dice secret of a campaign. Raises `pbem.campaign.vault.SecretLost`."""
        ((encrypted,),) = self.store.fetch("secret", self.store.secret_of, {"of": campaign})
        return self.vault.open(encrypted)

    def tree(self, campaign: str, number: int, size: int) -> DiceTree:
        """A tree that is committed to; it is made once something is thrown."""

        def make() -> DiceTree:
            crowns = self.store.fetch("crown", self.store.crown_of, {"of": campaign, "nr": number})
            return DiceTree(self.secret(campaign), number, size, bytes(crowns[0][0]) if crowns else None)

        return TreeOnDemand(number, size, make)  # type: ignore[return-value]

    def first_tree(self, secret: bytes) -> DiceTree:
        """The tree that a new campaign commits to."""
        return DiceTree(secret)

    def next_tree(self, secret: bytes, number: int, size: int) -> DiceTree:
        """A tree that is to be committed to."""
        return DiceTree(secret, number, size)

    def keep_tree(self, campaign: str, tree: DiceTree) -> Any:
        """The statement that keeps the crown of a tree."""
        return insert(self.store.tables.trees).values(campaign=campaign, tree=tree.tree, crown=tree.crown)

    def keep_secret(self, campaign: str, secret: bytes, tree: DiceTree) -> Sequence[Any]:
        """The statements that keep the secret of a new campaign, with its first tree."""
        secrets = self.store.tables.secrets
        values = {"campaign": campaign, "sealed": self.vault.seal(secret)}
        return [insert(secrets).values(values), self.keep_tree(campaign, tree)]

    def renew_secret(self, campaign: str, secret: bytes, tree: DiceTree) -> Sequence[Any]:
        """The statements that put a new secret in the place of one that is lost, with the tree made of it."""
        secrets = self.store.tables.secrets
        encrypted = self.vault.seal(secret)
        renewed = update(secrets).where(secrets.c.campaign == campaign).values(sealed=encrypted)
        return [renewed, self.keep_tree(campaign, tree)]
