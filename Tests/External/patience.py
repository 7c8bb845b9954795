"""How long the programs in this folder wait for an event that must come."""

# In seconds. It only ends a run whose event never comes: a slow machine must not reach it. The longest wait on two
# cores at a load of 12, with processes of Chromium stopped now and then, took 21 seconds.
PATIENCE = 600
