"""Chapter 9: scores for the token before, how much of a head completes the pattern, a norm, and what goes around it."""

AHEAD = "Does each row look one ahead? Row i looks at column i − 1: the diagonal lies below the main one."
ITSELF = "Does each row look at itself? Row i looks at column i − 1."
WRAPPED = (
    "Row 0 looks at the last column. In Python an index of −1 counts from the end; np.roll brings back at one end what "
    "it pushes out at the other. Nothing stands before the first token, so its row is 0."
)
FIRST_ITSELF = "Row 0 looks at itself. Nothing stands before the first token, so its row is 0."
TWO_BACK = "Do the rows look two back? Row i looks at column i − 1."
ALL_BEFORE = (
    "Do the rows look at everything that came before? Of these columns only i − 1 has a score of beta."
)
NO_BETA = "Is beta missing? The scores are beta where a row looks, and 0 elsewhere."
WEIGHED = "Are these weights? Scores are asked for, before the softmax."

SAME = (
    "It counts the places where the same token stood. A head that completes the pattern looks one further, at what "
    "came *after* it."
)
BEFORE_IT = "It counts the places one before where the same token stood. What came *after* is one further on, at j + 1."
FIXED = (
    "It goes a fixed way back, half of the text less one. That is right if the text is some *different* words, said "
    "twice. In general compare tokens."
)
ALL_ROWS = (
    "Is it the mean over all rows? A row whose token is there for the first time has nothing "
    "to find: leave it out."
)
ONE_ROW_EARLY = (
    "One row too many is counted, the one before the first repetition. Its token is there for the first time, though "
    "the diagonal begins in it."
)
LATEST = (
    "Is one earlier place taken for each row? There can be several: the weights after all of them are added."
)
SUMMED = "Are the rows added up? Take their mean."

SAMPLE = "The variance divides by d − 1. Here it divides by d, as a mean does: np.var and np.std do so by themselves."
OUTSIDE = "Is eps added to the root? It is added to the variance, under the root."
NO_EPS = "Is eps missing? It is added to the variance, under the root."
DOWN = "Are mean and variance taken down the columns? Each token is normalized by itself: use the last axis."
NO_MEAN = "Is the mean left in? It is subtracted first, and the variance is about the mean."
NO_ROOT = "Is the root missing? Divide by the standard deviation, not by the variance."
BIAS_FIRST = "Is the bias multiplied by the gain? The gain comes first, then the bias is added."
NO_GAIN = "Are gain and bias missing? Multiply by one, then add the other."

POST = "The sum is normalized. That is post-norm, as the first transformer had it; here what the layer *reads* is."
NORMED_WAY = (
    "The way around is normalized as well. Add what the layer makes to `x` as it came in: "
    "norm(x) is for the layer."
)
NO_WAY = "Is there a way around? What came in is added to what the layer makes of it."
DOUBLED = "What the layer made is added to itself. After `x = f(x)` the old `x` is gone: give the result another name."
NO_NORM = "Does the layer read `x` as it is? It reads norm(x)."
INNER = "The output of the layer is normalized. Normalize what goes into it."
NO_FOLD = "Are negative numbers kept between the two matrices? There they become 0."
