#!/bin/bash
# Slurm: run=$(sbatch --parsable slurm.sh), then
#   sbatch --dependency=afterany:$run --wrap 'presentment merge reports/*.json --report json=merged.json'
#
# Submit it in a folder that all nodes share, with presentment in the PATH and the scenarios in the folder "scenarios".
# A task that is lost with its node is queued again by Slurm; 'scontrol requeue JOB_TASK' repeats one by hand.
#SBATCH --job-name=scenarios
#SBATCH --array=0-7
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --output=scenarios-%a.txt
#SBATCH --open-mode=append
presentment run scenarios --jobs "$SLURM_CPUS_PER_TASK" --shard auto --report "json=reports/$SLURM_ARRAY_TASK_ID.json"
