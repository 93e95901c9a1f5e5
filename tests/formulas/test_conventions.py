"""The three conventions of chapters/notation.md give the same attention."""

import numpy as np
import torch

import transformer_lib as tl

rng = np.random.default_rng(0)
X, W_Q, W_K, W_V = (rng.normal(size=shape) for shape in [(5, 8), (8, 3), (8, 3), (8, 4)])
OUTPUT = tl.attention(X @ W_Q, X @ W_K, X @ W_V)


def test_tokens_as_columns_give_the_transposed_output():
    columns = X.T
    Q, K, V = W_Q.T @ columns, W_K.T @ columns, W_V.T @ columns
    weights = tl.softmax(K.T @ Q / np.sqrt(3), axis=0)
    np.testing.assert_allclose(V @ weights, OUTPUT.T, atol=1e-12)


def test_weights_stored_out_in_give_the_same_output():
    layers = [
        torch.nn.Linear(8, W.shape[1], bias=False, dtype=torch.float64) for W in (W_Q, W_K, W_V)
    ]
    for layer, W in zip(layers, (W_Q, W_K, W_V), strict=True):
        layer.weight.data = torch.asarray(W).T
    with torch.no_grad():
        output = tl.attention(*(layer(torch.asarray(X)) for layer in layers))
    np.testing.assert_allclose(output, OUTPUT, atol=1e-12)
