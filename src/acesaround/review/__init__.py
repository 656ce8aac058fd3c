"""Reviews of finished deals: what each decision of one seat cost, and how lucky it was.

`evaluation` compares an action with the best one, from the seat's own view. `game_review` does so
for all decisions of a seat and divides the change of its chance to win into luck and decisions.
`duplicate_comparison` says what others make of the cards of a deal. `text_report` prints a review.
"""

from acesaround.review.evaluation import Evaluation, evaluate_action
from acesaround.review.game_review import DecisionReview, GameReview, Kind, review_game

__all__ = [
    "DecisionReview",
    "Evaluation",
    "GameReview",
    "Kind",
    "evaluate_action",
    "review_game",
]
