"""The list of public tables."""

from __future__ import annotations

from acesaround.table import Config, Person, begin
from tests.browser.page_objects.visitor import NewVisitor
from tests.browser.server_process import Server

ANN, GREEDY = Person("ann's secret id", "Ann"), Person("greedy's secret id", "Greedy")


def test_lobby_shows_two_tables_of_a_host_until_more_are_requested(
    new_visitor: NewVisitor, server: Server
) -> None:
    config = Config(variant="partnership", players=4, public=True)
    server.store_table("honest", begin(config, ANN))
    for number in range(5):
        server.store_table(f"greedy-{number}", begin(config, GREEDY))
    visitor = new_visitor()
    visitor.open_home()
    visitor.page.get_by_text("Greedy").first.wait_for()
    assert "Ann" in visitor.lobby_hosts()
    assert visitor.lobby_hosts().count("Greedy") == 2
    while visitor.show_more_tables():
        pass
    assert visitor.lobby_hosts().count("Greedy") == 5
